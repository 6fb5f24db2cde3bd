/** The address of a server without its login, and the login itself, decoded. */
interface ServerLogin {
  readonly address: string;
  readonly username?: string;
  readonly password?: string;
}

/** Clients are given the login apart: some cut the userinfo of an address at the wrong colon. */
export function serverLogin(url: string): ServerLogin {
  const address = new URL(url);
  const [username, password] = [decoded(address.username), decoded(address.password)];
  address.username = address.password = '';
  return { address: address.href, ...(username !== '' && { username }), ...(password !== '' && { password }) };
}

/** A percent sign that encodes nothing stands for itself. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
