import './theme.css'
import './frame.css'
import './layout.css'
import './named-themes.css'
import { readSetup } from './setup-element.ts'
import { startFrame } from './start-frame.tsx'

startFrame({
  room: window,
  content: document.getElementById('frame') ?? document.body,
  setup: readSetup(document),
  now: Date.now,
  send: fetch,
  wait: (ms) => new Promise((done) => setTimeout(done, ms)),
  random: Math.random,
  createKey: () => crypto.randomUUID(),
  online: () => navigator.onLine,
  // eslint-disable-next-line no-console -- the one word of advice to the merchant's developer
  warn: (message) => console.warn(message),
})
