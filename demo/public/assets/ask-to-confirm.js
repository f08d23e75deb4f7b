import { make } from './make.js'

/** Asks before something that cannot be undone. Resolves to true if it is confirmed; Escape means no. */
export function askToConfirm({ title, text, yes, no }) {
  const heading = make('h2', { id: 'confirm-title' }, title)
  const keep = make('button', { class: 'secondary', value: 'no' }, no)
  const go = make('button', { class: 'primary grave', value: 'yes' }, yes)
  const form = make('form', { method: 'dialog' }, make('p', { class: 'buttons actions' }, keep, go))
  const dialog = make('dialog', { 'aria-labelledby': 'confirm-title' }, heading, make('p', {}, text), form)
  document.querySelector('main').append(dialog)
  dialog.showModal()
  return new Promise((resolve) => {
    dialog.addEventListener('close', () => {
      dialog.remove()
      resolve(dialog.returnValue === 'yes')
    })
  })
}
