import { Pay } from './pay'

/** Rendered on the server; the form comes into its place in the browser. */
export default function Page() {
  return (
    <main>
      <h1>Pay</h1>
      <Pay />
    </main>
  )
}
