// The only ways from a text to HTML or to a script; the content security policy lets the browser ask here,
// and here alone. It cannot stand in the page itself, because the content security policy allows no inline
// script.
window.trustedTypes?.createPolicy('default', {
  // Leaflet tries once whether the browser draws SVG, and empties its icons. Everything else is text and not
  // HTML.
  createHTML: (html) => (html === '' || html === '<svg/>' ? html : null),
  // Workers of our own build, and what keeps the page of crews.
  createScriptURL: (address) => {
    const { href } = new URL(address, document.baseURI);
    const isOurs =
      href.startsWith(new URL('./assets/', document.baseURI).href) || href === `${location.origin}/crew-worker.js`;
    return isOurs ? address : null;
  },
});
// Zod would try whether it may compile code; the policy forbids it, and the browser would report an error.
globalThis.__zod_globalConfig = { jitless: true };
