// Runs before anything is drawn, so that nobody who works in the dark is met by a white page.
try {
  const kept = localStorage.getItem('waypost-crew:palette');
  const palette = kept ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'night' : 'day');
  if (['day', 'night'].includes(palette)) document.documentElement.dataset.palette = palette;
} catch {
  // Nothing is kept: the day palette stands in the page.
}
