/** An element with its attributes and children; text is put in as text, never as markup. */
export function make(name, attributes = {}, ...children) {
  const element = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value)
  element.append(...children)
  return element
}

/** A cell of a table whose rows turn into cards on a narrow screen; `label` is its line's there. */
export const cell = (label, className, ...children) =>
  make('td', { 'data-label': label, class: className }, ...children)
