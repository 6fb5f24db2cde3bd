// Runs before anything is drawn: the page is as dark as the system of its reader.
document.documentElement.dataset.palette = matchMedia('(prefers-color-scheme: dark)').matches ? 'dusk' : 'day';
