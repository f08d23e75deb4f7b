/** Whether the page asked that nothing shows until the settings are there (`src/sdk/frame/frame-element.ts`). */
export function isHiddenAtFirst({ location }: Window): boolean {
  return location.hash.startsWith('#late')
}

/** Shows the content of a document that is `late`. */
export function showContent(content: HTMLElement): void {
  content.style.display = 'flow-root'
}
