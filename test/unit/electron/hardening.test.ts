import { expect, test } from 'vitest';
import { belongsTo, pictureOriginsIn, windowPreferences } from '../../../electron/hardening.ts';
import { isRoute } from '../../../shared/bridge.ts';

const origin = 'http://127.0.0.1:8480';

test.each([
  ['http://127.0.0.1:8480/#/board', true],
  ['ws://127.0.0.1:8480/ws', true],
  ['blob:http://127.0.0.1:8480/3b0e', true],
  ['data:image/png;base64,AAAA', true],
  ['http://127.0.0.1:8481/', false],
  ['https://127.0.0.1:8480/', false],
  ['http://127.0.0.1.evil.example/', false],
  ['http://127.0.0.1:8480@evil.example/', false],
  ['blob:http://evil.example/3b0e', false],
  ['file:///etc/passwd', false],
  ['javascript:alert(1)', false],
  ['', false],
])('%s belongs to the station: %s', (url, belongs) => {
  expect(belongsTo(url, origin)).toBe(belongs);
});

test('pictures come from the origins that the page’s policy names', () => {
  const policy = (rule: string) => ({ 'Content-Security-Policy': [`default-src 'none'; ${rule}; script-src 'self'`] });
  expect(pictureOriginsIn(policy("img-src 'self' data: blob: https://a.example http://10.0.0.7:8080"))).toEqual([
    'https://a.example',
    'http://10.0.0.7:8080',
  ]);
  expect(pictureOriginsIn(policy("img-src 'self' data: https: * https://*.example"))).toEqual([]);
  expect(pictureOriginsIn({ 'content-type': ['text/html'] })).toEqual([]);
});

test('a window has a sandbox, its own context and nothing of Node', () => {
  expect(windowPreferences('preload.cjs')).toMatchObject({
    sandbox: true,
    contextIsolation: true,
    nodeIntegration: false,
    webviewTag: false,
    webSecurity: true,
  });
});

test.each([
  ['#/', true],
  ['#/tasks/12?tab=history', true],
  ['/', false],
  ['#/<script>', false],
  ['http://127.0.0.1/#/', false],
  [7, false],
  [undefined, false],
  ['#/?words=gas+leak,+(yard)!&map=56.19110,-18.91210,15', true],
  ['#/' + 'a'.repeat(1_998), true],
  ['#/' + 'a'.repeat(1_999), false],
])('%j is a route: %s', (value, route) => {
  expect(isRoute(value)).toBe(route);
});
