/** The place for the form in the page; throws when there is none. */
export function elementOf(container: string | Element): Element {
  const element = typeof container === 'string' ? document.querySelector(container) : container
  return element ?? refuse('The card form was given no place to go', container)
}

/** A form of the page's own; throws when there is none. */
export function formOf(form: string | HTMLFormElement): HTMLFormElement {
  const element = typeof form === 'string' ? document.querySelector(form) : form
  return element instanceof HTMLFormElement ? element : refuse('There is no form to hold the submit of', form)
}

function refuse(what: string, given: unknown): never {
  const how = typeof given === 'string' ? `the selector "${given}"` : 'the given element'
  throw new TypeError(`${what}: ${how} matches none in this page.`)
}
