/** undici's client by itself: the whole package takes three times as long to load, at every start. */
declare module 'undici/lib/dispatcher/client.js' {
  import { Client } from 'undici'

  export = Client
}

/** The names of what undici's objects hold for themselves. */
declare module 'undici/lib/core/symbols.js' {
  const symbols: Readonly<Record<'kSocket' | 'kParser', symbol>>

  export = symbols
}
