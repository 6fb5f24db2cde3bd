// Runs before anything is drawn: whoever works in the dark must not be met by a white page while the console
// loads. It cannot stand in the page itself, because the content security policy allows no inline script.
try {
  const owner = localStorage.getItem('waypost:last') ?? '';
  const kept = JSON.parse(localStorage.getItem(`waypost:preferences:${owner}`) ?? '{}');
  const palette = kept.palette ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dusk' : 'day');
  if (['day', 'dusk', 'night'].includes(palette)) document.documentElement.dataset.palette = palette;
  if (['112', '125'].includes(kept.textSize)) document.documentElement.dataset.text = kept.textSize;
} catch {
  // What was kept is broken: the day palette stands in the page.
}
