/**
 * Focuses the element of an id, and answers whether the focus moved there: a screen reader says what the focus comes to, and
 * nothing about what it was on before. Browsers may refuse it to a document that does not have the focus.
 */
export function moveFocus(page: Document, id: string): boolean {
  const element = page.getElementById(id)
  const isThere = () => page.hasFocus() && page.activeElement === element
  if (isThere()) return false
  element?.focus()
  return isThere()
}

/** The same for changes that the person may not expect: it takes no focus from the page around, where the person may be typing. */
export function moveFocusWithin(page: Document, id: string): boolean {
  return page.hasFocus() && moveFocus(page, id)
}
