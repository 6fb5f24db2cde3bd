export function writeInstaller(
  tree: string,
  to: string,
  options: { program: 'waypost' | 'waypost-station'; version: string; quick?: boolean },
): void;
export function installerMissing(): string | undefined;
