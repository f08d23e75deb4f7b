import { setHeight } from './frame-element.ts'
import type { FrameTarget } from './frame-element.ts'
import { reportInConsole } from './report-in-console.ts'

/** Said to a frame that another form is about to replace. Who owns the frame, whichever copy or release of the SDK, prevents the default. */
export const REPLACED = 'svc-replaced'

/** Addresses of forms, of any origin. */
const FORM_PATH = /^[^/]+:\/\/[^/]+\/sdk\/[^/]+\/(?:frame|checkout|authentication)\?/

/**
 * Takes every form out of a container: those of other widgets, which hear of it, and those that belong to none. Only the first that the
 * page itself has put there for this very form stays, and is returned, so that it can be adopted; else null. None stays if this
 * form will not come, as a card would be typed for nobody.
 */
export function makeRoom({ container, origin, path, fault }: FrameTarget): HTMLIFrameElement | null {
  let early: HTMLIFrameElement | null = null
  for (const frame of [...container.children]) {
    if (!(frame instanceof HTMLIFrameElement) || !FORM_PATH.test(frame.src)) continue
    const isOwned = !frame.dispatchEvent(new Event(REPLACED, { cancelable: true }))
    const isFit = !isOwned && !fault && isSameForm(frame.src, origin + path)
    if (!isOwned && !isFit && !fault) reportNotAdopted(frame.src, origin + path)
    if (isFit && early === null) early = frame
    else removeElement(frame)
  }
  return early
}

/** Not by a method of elements, which old libraries replace by one that fails where there is no parent. */
export function removeElement(element: Element): void {
  element.parentNode?.removeChild(element)
}

/** Whether somebody is in a frame of an element, and so may have typed into it. */
export function isInUse(element: Element): boolean {
  const root = element.getRootNode()
  const { activeElement } = root instanceof ShadowRoot ? root : document
  return activeElement instanceof HTMLIFrameElement && element.contains(activeElement)
}

/** Gives a frame of the page what a frame of the SDK's own has; it never gets lower than it is. */
export function dressEarlyFrame(
  frame: HTMLIFrameElement,
  { layout, language }: FrameTarget,
  scheme: string,
): void {
  const { height } = frame.getBoundingClientRect()
  frame.loading = 'eager'
  frame.lang = language
  Object.assign(frame.style, { display: 'block', width: '100%', border: '0', colorScheme: scheme })
  setHeight(frame, Math.max(height, layout().height))
}

/** Whether two addresses are of the same form of the same release, in whatever language. */
export function isSameForm(one: string, other: string): boolean {
  return formOf(one) === formOf(other)
}

function formOf(address: string): string {
  try {
    const { origin, pathname, searchParams } = new URL(address)
    searchParams.delete('language')
    searchParams.sort()
    return `${origin}${pathname}?${String(searchParams)}`
  } catch {
    return address // A page's markup may hold an address that is none.
  }
}

/** The form works all the same, by a frame of its own: this is for the page's developer. */
export function reportNotAdopted(given: string, wanted: string): void {
  reportInConsole({
    code: 'frame_not_adopted',
    message: `The iframe ${given} was replaced: this form is ${wanted}. Make its markup by frameHtml().`,
  })
}
