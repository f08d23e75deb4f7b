/** undici's client by itself: the whole package takes three times as long to load, at every start. */
declare module 'undici/lib/dispatcher/client.js' {
  import { Client } from 'undici'

  export = Client
}
