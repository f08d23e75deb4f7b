import { BANK_RETURNED } from '../../contract/page/authentication-setup.ts'
import type { AuthenticationStep } from '../../contract/api/charges/authentication.ts'

/**
 * What a bank's page may do: run its scripts with its own cookies, and send its forms. So it can't leave its place, open windows or
 * dialogs of the browser, or start downloads.
 */
export const BANK_SANDBOX = 'allow-scripts allow-forms allow-same-origin'

/** Windows of EMV 3-D Secure (specification 2.2, `challengeWindowSize`), the first that fits is asked for; `05` is all the room there is. */
const WINDOWS = [
  { size: '03', width: 500, height: 600 },
  { size: '02', width: 390, height: 400 },
] as const
/** 250 × 400. */
const SMALLEST = '01'
const ALL_ROOM = '05'
const [LOWEST, HIGHEST] = [400, 600]

export interface BankWindow {
  size: string
  /** In CSS px; null for all the room there is. */
  width: number | null
  height: number | null
}

/**
 * The bank's window for a room in CSS px. One that `fills` the screen is as large as that; another is as high as there is room for, up to
 * the highest of EMV's, since most pages need more than they should. Where only the smallest fits, it has the whole width.
 */
export function bankWindowIn(room: { width: number; height: number; fills: boolean }): BankWindow {
  if (room.fills) return { size: ALL_ROOM, width: null, height: null }
  const fitting = WINDOWS.find(({ width, height }) => width <= room.width && height <= room.height)
  const { size, width, height } = fitting ?? { size: SMALLEST, width: null, height: LOWEST }
  return { size, width, height: Math.max(height, Math.min(room.height, HIGHEST)) }
}

/** Whether a bank's page may be asked for at an address: by https, in the sandbox also from this very machine. */
export function isBankAddress(address: string, isSandbox: boolean): boolean {
  if (!URL.canParse(address)) return false
  const { protocol, hostname } = new URL(address)
  const isOwnMachine = protocol === 'http:' && /^(?:localhost|127(?:\.\d+){3})$/.test(hostname)
  return protocol === 'https:' || (isSandbox && isOwnMachine)
}

/** Sends this frame to the bank: by a form, or by an address alone. */
export function openStep(
  page: Document,
  frame: HTMLIFrameElement,
  step: AuthenticationStep,
  size: string,
): void {
  switch (step.kind) {
    case 'method':
      post(page, frame, step.url, { threeDSMethodData: step.data })
      break
    case 'challenge':
      post(page, frame, step.url, { creq: withWindowSize(step.creq, size) })
      break
    case 'redirect':
      if (step.method === 'POST') post(page, frame, step.url, step.fields)
      else frame.src = withQuery(step.url, step.fields)
  }
}

function post(page: Document, frame: HTMLIFrameElement, url: string, fields: Record<string, string>): void {
  const form = page.createElement('form')
  Object.assign(form, { method: 'post', action: url, target: frame.name, hidden: true })
  for (const [name, value] of Object.entries(fields)) {
    const input = page.createElement('input')
    Object.assign(input, { type: 'hidden', name, value })
    form.append(input)
  }
  page.body.append(form)
  // Not by its own method, which a field called `submit` would hide.
  HTMLFormElement.prototype.submit.call(form)
  form.remove()
}

function withQuery(url: string, fields: Record<string, string>): string {
  const address = new URL(url)
  for (const [name, value] of Object.entries(fields)) address.searchParams.set(name, value)
  return address.href
}

/** The message with the size of the window that it gets; one that is none stays as it is, and its bank says so. */
export function withWindowSize(creq: string, size: string): string {
  try {
    const message: unknown = JSON.parse(atob(creq.replaceAll('-', '+').replaceAll('_', '/')))
    if (typeof message !== 'object' || message === null) return creq
    return btoa(JSON.stringify({ ...message, challengeWindowSize: size }))
      .replaceAll('+', '-')
      .replaceAll('/', '_')
      .replace(/=+$/, '')
  } catch {
    return creq
  }
}

/**
 * Calls back when the bank has sent the browser back to the service, in a frame of ours: our own page there says so, and nothing more. A page of
 * ours that could not say it, such as an error of the service, is known by its address, which no script of a document here may read of a bank's.
 */
export function whenReturned(
  frameWindow: Window,
  frame: HTMLIFrameElement,
  returned: () => void,
): () => void {
  const hear = ({ source, origin, data }: MessageEvent<unknown>) => {
    const isOurs = source === frame.contentWindow && origin === frameWindow.location.origin
    if (isOurs && data === BANK_RETURNED) returned()
  }
  const look = () => {
    if (pathIn(frame).startsWith('/3ds/')) returned()
  }
  frameWindow.addEventListener('message', hear)
  frame.addEventListener('load', look)
  return () => {
    frameWindow.removeEventListener('message', hear)
    frame.removeEventListener('load', look)
  }
}

/** '' of a page of another origin. */
function pathIn({ contentWindow }: HTMLIFrameElement): string {
  try {
    return contentWindow?.location.pathname ?? ''
  } catch {
    return ''
  }
}
