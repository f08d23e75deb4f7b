/**
 * The origin that served this script: of its `<script>` element for the UMD file, of its module for the ES one.
 * Empty when it came from no web address, such as an app's own files. To be called while the script is first
 * evaluated: `document.currentScript` is gone afterwards. Markup of another kind may bear that name and is not believed.
 */
export function scriptOrigin(script: Document['currentScript'], moduleUrl: string | undefined): string {
  const address = script !== null && script instanceof HTMLScriptElement ? script.src : moduleUrl
  return address && /^https?:/.test(address) ? new URL(address).origin : ''
}
