interface Cookie {
  host: string;
  name: string;
  value: string;
  path: string;
}

/** Follows redirects and keeps cookies, as a browser does. */
export class Browser {
  #cookies: Cookie[] = [];
  readonly #headers: Record<string, string>;

  constructor(headers: Record<string, string> = {}) {
    this.#headers = headers;
  }

  /** One request, without following. */
  async get(url: string, headers: Record<string, string> = {}): Promise<Response> {
    return this.send('GET', url, headers);
  }

  /** The same with any method. */
  async send(method: string, url: string, headers: Record<string, string> = {}, body?: string): Promise<Response> {
    const { hostname, pathname } = new URL(url);
    const cookies = this.#cookies.filter(({ host, path }) => host === hostname && isBelow(pathname, path));
    const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
    const sent = { ...this.#headers, ...(cookie !== '' && { cookie }), ...headers };
    const response = await fetch(url, { method, redirect: 'manual', headers: sent, ...(body !== undefined && { body }) });
    for (const line of response.headers.getSetCookie()) this.#keep(hostname, line);
    return response;
  }

  /** Where a request sends the browser. */
  async next(url: string): Promise<string> {
    const response = await this.get(url);
    const location = response.headers.get('location');
    if (location === null) throw new Error(`${url}: ${response.status} ${await response.text()}`);
    await response.body?.cancel();
    return new URL(location, url).href;
  }

  /** Follows redirects from page to page until one of them begins like this; it is not requested. */
  async until(url: string, begin: string): Promise<string> {
    let at = url;
    for (let hops = 0; hops < 10 && !at.startsWith(begin); hops++) at = await this.next(at);
    if (!at.startsWith(begin)) throw new Error(`${at} does not begin with ${begin}`);
    return at;
  }

  /** The value of a cookie of a host. */
  cookie(name: string): string | undefined {
    return this.#cookies.find((cookie) => cookie.name === name)?.value;
  }

  /** Takes over a cookie, or forgets it. */
  set(host: string, name: string, value: string | undefined, path = '/'): void {
    this.#cookies = this.#cookies.filter((cookie) => cookie.host !== host || cookie.name !== name || cookie.path !== path);
    if (value !== undefined) this.#cookies.push({ host, name, value, path });
  }

  #keep(host: string, line: string): void {
    const [pair = '', ...attributes] = line.split(';').map((part) => part.trim());
    const at = pair.indexOf('=');
    const path = attributes.find((one) => /^path=/i.test(one))?.slice(5) ?? '/';
    const isGone = attributes.some((one) => /^max-age=0$|^expires=Thu, 01 Jan 1970/i.test(one));
    this.set(host, pair.slice(0, at), isGone ? undefined : pair.slice(at + 1), path);
  }
}

function isBelow(pathname: string, path: string): boolean {
  return pathname === path || pathname.startsWith(path.endsWith('/') ? path : `${path}/`);
}
