import type { AuthenticationEnd } from '../contract/page/authentication-event.ts'
import { Canvas3ds } from './canvas-3ds.ts'
import type { Authentication3ds } from './canvas-3ds.ts'
import { removeElement } from './iframe-host/early-frame.ts'
import { hostOf } from './iframe-host/frame-host.ts'
import { WidgetError } from './widget-error.ts'

/** How an authentication ended. Have the server ask for the charge: what a page says is no proof. */
export interface AuthenticationResult extends AuthenticationEnd {
  /** Whether the charge was paid, or holds its funds. */
  succeeded: boolean
}

export interface AuthenticateOptions {
  prepare?: ((canvas: Canvas3ds) => unknown) | undefined
  signal?: AbortSignal | undefined
}

const ENDS = ['chargeAuthSuccess', 'chargeAuthReject', 'chargeAuthCancelled'] as const

/**
 * Shows in a dialog what the card holder's bank asks, and resolves once that has ended, however it did. Rejects with a `WidgetError` if it
 * can't be shown, or with the reason of `signal`. `prepare` is called with the `Canvas3ds` before it loads: to choose environment, language
 * and looks.
 */
export async function authenticate(
  authentication: Authentication3ds,
  { prepare, signal }: AuthenticateOptions = {},
): Promise<AuthenticationResult> {
  const dialog = document.createElement('dialog')
  const panel = dialog.appendChild(document.createElement('div'))
  const canvas = new Canvas3ds(panel, authentication)
  const isSmall = innerWidth < 600 || innerHeight < 640 // There the bank's page has all the room.
  prepare?.(canvas)
  dialog.setAttribute('aria-label', '3-D Secure')
  // Whatever the page has for dialogs, or for all.
  const reset = 'all:initial;color-scheme:inherit;box-sizing:border-box;'
  dialog.style.cssText = `${reset}position:fixed;inset:0;display:flex;width:100%;height:100%;padding:${isSmall ? 0 : 16}px;background:#0009`
  panel.style.cssText = `${reset}margin:auto;width:100%;max-height:100%;overflow:auto;background:Canvas;${
    isSmall ? 'height:100%' : 'max-width:532px;padding:16px;border-radius:12px;outline:1px solid #0000'
  }`
  const keepOpen = (event: Event) => {
    event.preventDefault()
    if (dialog.isConnected && !dialog.open) dialog.showModal()
    canvas.cancel()
  }
  // Browsers let a page keep a dialog open once: a second Escape closes it without asking.
  for (const name of ['cancel', 'close']) dialog.addEventListener(name, keepOpen)
  document.body.append(dialog)
  dialog.showModal()
  const scrollAgain = stopScrolling()
  let watch: MutationObserver | undefined
  try {
    return await new Promise((resolve, reject) => {
      // A page that renders itself anew may take the dialog with it; one that has destroyed the step hears no more of it.
      const { form } = hostOf(canvas)
      watch = new MutationObserver(() => (form.isClosed || form.session?.isDetached) && reject(form.absence))
      watch.observe(document, { childList: true, subtree: true })
      // The service no longer tells of it, so nothing follows. After a fault of the service a person can still give up.
      canvas.on('error', (event) => {
        if (event.error.code !== 'system_error') reject(new WidgetError(event.error, event))
      })
      for (const name of ENDS)
        canvas.on(name, ({ authentication_id, status }) =>
          resolve({ authentication_id, status, succeeded: name === ENDS[0] }),
        )
      // oxlint-disable-next-line typescript/prefer-promise-reject-errors -- the page's own reason, whatever it is
      signal?.addEventListener('abort', () => reject(signal.reason))
      canvas.load({ signal, fills: isSmall }).then(() => canvas.focus(), reject)
    })
  } finally {
    watch?.disconnect()
    dialog.removeEventListener('close', keepOpen)
    dialog.close()
    canvas.destroy()
    removeElement(dialog)
    scrollAgain()
  }
}

let dialogs = 0
let overflow = ''

/** Keeps the page from scrolling until the returned function is called, for the last dialog of several. */
function stopScrolling(): () => void {
  const { style } = document.documentElement
  if (dialogs === 0) ({ overflow } = style)
  dialogs += 1
  style.overflow = 'hidden'
  return () => {
    dialogs -= 1
    if (dialogs === 0) style.overflow = overflow
  }
}
