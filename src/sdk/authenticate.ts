import type { AuthenticationEnd } from '../contract/page/authentication-event.ts'
import { Canvas3ds, ENDS } from './canvas-3ds.ts'
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
  const room = layOut(dialog, panel)
  const canvas = new Canvas3ds(panel, authentication)
  prepare?.(canvas)
  const keepOpen = (event: Event) => {
    event.preventDefault()
    if (dialog.isConnected && !dialog.open) dialog.showModal()
    canvas.cancel()
  }
  // Browsers let a page keep a dialog open once: a second Escape closes it without asking.
  for (const name of ['cancel', 'close']) dialog.addEventListener(name, keepOpen)
  document.body.append(dialog)
  dialog.showModal()
  const { style } = document.documentElement
  const { overflow } = style
  style.overflow = 'hidden'
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
      canvas.load({ signal, room }).then(() => canvas.focus(), reject)
    })
  } finally {
    watch?.disconnect()
    dialog.removeEventListener('close', keepOpen)
    dialog.close()
    canvas.destroy()
    removeElement(dialog)
    // Another dialog may be there since.
    if (overflow !== 'hidden') style.overflow = overflow
  }
}

/** On a small screen the bank's page has all the room. Takes no style that the page has for dialogs, or for all. */
function layOut(dialog: HTMLElement, panel: HTMLElement): 'screen' | 'dialog' {
  const isSmall = innerWidth < 600 || innerHeight < 640
  const reset = 'all:initial;color-scheme:inherit;'
  dialog.setAttribute('aria-label', '3-D Secure')
  dialog.style.cssText = `${reset}position:fixed;inset:0;display:flex;background:#0008`
  // The document has the padding, so that a background of its own reaches the edge.
  panel.style.cssText = `${reset}margin:auto;width:100%;overflow:auto;background:Canvas;${
    isSmall ? 'height:100%' : 'max-width:532px;max-height:96%;border-radius:12px;outline:solid 1px #0000'
  }`
  return isSmall ? 'screen' : 'dialog'
}
