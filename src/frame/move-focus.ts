/**
 * Focuses the element of an id, and answers whether the focus moved there: a screen reader says what the focus comes to, and
 * nothing about what it was on before.
 */
export function moveFocus(page: Document, id: string): boolean {
  const element = page.getElementById(id)
  const wasThere = page.hasFocus() && page.activeElement === element
  element?.focus()
  return element !== null && !wasThere
}
