/**
 * Follows a sign-in through the pages of a test provider (oidc-provider), as a browser does, until it leads back.
 * @param begun the address to which the station sent the browser
 * @returns the address that it is sent back to
 */
export async function throughProvider(begun: string, back: string, login: string): Promise<string> {
  const jar = new Map<string, string>();
  let address = begun;
  let form: string | undefined;
  while (!address.startsWith(back)) {
    const answered = await fetch(address, {
      redirect: 'manual',
      headers: {
        cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; '),
        ...(form !== undefined && { 'content-type': 'application/x-www-form-urlencoded' }),
      },
      ...(form !== undefined && { method: 'POST', body: form }),
    });
    for (const each of answered.headers.getSetCookie()) {
      const [name, value] = each.split(';')[0]!.split('=') as [string, string];
      jar.set(name, value);
    }
    form = undefined;
    const location = answered.headers.get('location');
    if (location !== null) address = new URL(location, address).href;
    else {
      const page = await answered.text();
      const action = /action="([^"]+)"/.exec(page)?.[1];
      if (action === undefined) throw new Error(`${answered.status} ${page}`);
      address = new URL(action, address).href;
      form = page.includes('value="login"') ? `prompt=login&login=${login}&password=any` : 'prompt=consent';
    }
  }
  return address;
}
