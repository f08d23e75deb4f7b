import { askShop } from '../ask-shop.js'

const form = document.querySelector('#subscribe')
const message = document.querySelector('#message')
const progress = document.querySelector('#progress')
const button = form.querySelector('button')
const inputs = [...form.querySelectorAll('.field input')]
let isSending = false

function tell(words) {
  message.textContent = words
  message.hidden = words === ''
}

/** Shows each fault beside its field, and moves to the first. */
function showFaults(faults) {
  for (const input of inputs) {
    const words = faults[input.name] ?? ''
    document.getElementById(`${input.name}-fault`).textContent = words
    if (words === '') input.removeAttribute('aria-invalid')
    else input.setAttribute('aria-invalid', 'true')
  }
  inputs.find((input) => input.name in faults)?.focus()
}

/** Only the fields of the chosen way to pay are shown, and sent. */
function followChoice() {
  const chosen = form.elements.pay_by.value
  for (const field of form.querySelectorAll('[data-pay-by]')) {
    field.hidden = field.dataset.payBy !== chosen
    field.querySelector('input').disabled = field.hidden
  }
}

async function send() {
  tell('')
  showFaults({})
  progress.textContent = 'Asking for an agreement with your bank…'
  const { ok, answer } = await askShop('/api/subscriptions', Object.fromEntries(new FormData(form)))
  progress.textContent = ''
  if (ok) return location.assign(`/subscriptions/${answer.id}`)
  tell(answer.message)
  showFaults(answer.faults ?? {})
}

form.addEventListener('submit', async (event) => {
  event.preventDefault()
  if (isSending) return
  isSending = true
  button.setAttribute('aria-disabled', 'true')
  await send()
  button.removeAttribute('aria-disabled')
  isSending = false
})
form.addEventListener('change', followChoice)
followChoice()
