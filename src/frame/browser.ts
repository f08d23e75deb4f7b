/** What a frame's document needs of its browser; the one place that names it. */
export function browserOf(frameWindow: Window & typeof globalThis) {
  return {
    frameWindow,
    content: frameWindow.document.getElementById('frame') ?? frameWindow.document.body,
    now: Date.now,
    elapsed: () => performance.now(),
    send: frameWindow.fetch.bind(frameWindow),
    wait: (ms: number) => new Promise<void>((done) => setTimeout(done, ms)),
    random: Math.random,
    createKey: () => crypto.randomUUID(),
    online: () => frameWindow.navigator.onLine,
    // eslint-disable-next-line no-console -- the one word of advice to the merchant's developer
    warn: (message: string) => console.warn(message),
  }
}
