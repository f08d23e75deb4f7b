/** Sends a welcome to a card form in a new frame, then to every frame of the surrounding page. Returns the first one's events. */
export async function welcomeAll({ address, protocol }: { address: string; protocol: number }) {
  const welcome = { channel: 'widget.svc', protocol, widget_id: crypto.randomUUID(), settings: {} }
  const greet = (target: Window | undefined, hear: (message: { event?: string }) => void) => {
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = ({ data }: MessageEvent<{ event?: string }>) => hear(data)
    target?.postMessage(welcome, '*', [port2])
  }
  const own = document.createElement('iframe')
  own.src = address
  document.body.append(own)
  await new Promise((done) => own.addEventListener('load', done))
  const events: unknown[] = []
  await new Promise<void>((done) => {
    greet(own.contentWindow ?? undefined, ({ event }) => {
      events.push(event)
      if (event === 'afterLoad') done()
    })
  })
  const heard: unknown[] = []
  Object.assign(window, { heard })
  for (const frame of Array.from({ length: window.parent.length }, (_, index) => window.parent[index]))
    greet(frame, (message) => heard.push(message))
  return events
}
