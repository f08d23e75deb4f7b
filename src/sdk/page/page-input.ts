/** The container of the form. Throws a TypeError if the page has none. */
export function elementOf(container: string | Element): Element {
  return found(container) ?? refuse('element', container)
}

/** A form of the page. Throws a TypeError if there is none. */
export function formOf(form: string | HTMLFormElement): HTMLFormElement {
  const element = found(form)
  return element instanceof HTMLFormElement ? element : refuse('form', form)
}

function found(given: unknown): Element | null {
  const element = typeof given === 'string' ? document.querySelector(given) : given
  return element instanceof Element ? element : null
}

function refuse(what: string, given: unknown): never {
  const name = typeof given === 'string' ? `'${given}'` : String(given)
  throw new TypeError(`No ${what} matches ${name}. Check the selector, or run this after the ${what}.`)
}
