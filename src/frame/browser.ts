/** What a frame's document needs of its browser; the one place that names it. */
export function browserOf(room: Window & typeof globalThis) {
  return {
    room,
    content: room.document.getElementById('frame') ?? room.document.body,
    now: Date.now,
    elapsed: () => performance.now(),
    send: room.fetch.bind(room),
    wait: (ms: number) => new Promise<void>((done) => setTimeout(done, ms)),
    random: Math.random,
    createKey: () => crypto.randomUUID(),
    online: () => room.navigator.onLine,
    // eslint-disable-next-line no-console -- the one word of advice to the merchant's developer
    warn: (message: string) => console.warn(message),
  }
}
