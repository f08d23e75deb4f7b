import { askShop } from '../ask-shop.js'
import { askToConfirm } from '../ask-to-confirm.js'
import { paymentState, stateOf } from './bank-states.js'
import { make } from '../make.js'
import { createWatch } from '../watch.js'

const part = (id) => document.getElementById(id)
const put = (id, text) => (part(id).textContent = text)
const { id } = part('agreement').dataset
const buttons = [...document.querySelectorAll('[data-answer]')]
let shown = ''
/** Whether the last request found nothing, and the page says so. */
let isLost = false
let payee = ''
let isSending = false

function tell(words) {
  // Not written again, because a screen reader would read it again.
  if (part('message').textContent === words) return
  put('message', words)
  part('message').hidden = words === ''
}

function showTerms({ lines, payee: creditor, payer }, title) {
  const all = [{ label: 'Paid to', text: creditor }, { label: 'Paid by', text: payer }, ...lines]
  part('lines').replaceChildren(
    ...all.map(({ label, text }) => make('div', {}, make('dt', {}, label), make('dd', {}, text))),
  )
  put('terms-title', title)
  part('terms').hidden = false
}

function showChange({ change, payee: creditor }) {
  part('change').hidden = change === null
  if (change === null) return
  put(
    'change-words',
    `${creditor} asks for other terms. What stands now holds until you accept. Please answer by ${change.answer_by}.`,
  )
  part('change-lines').replaceChildren(
    ...change.lines.map(({ label, before, after }) =>
      make(
        'tr',
        {},
        make('th', { scope: 'row' }, label),
        make('td', {}, before),
        make('td', {}, make('strong', {}, after)),
      ),
    ),
  )
}

function showPayments({ payments, status }) {
  part('payments-part').hidden = payments.length === 0 && status !== 'active'
  part('no-payments').hidden = payments.length > 0
  part('payments').replaceChildren(
    ...payments.map(({ status: paid, amount, reference, at }) => {
      const [name, tone] = paymentState(paid)
      return make(
        'li',
        {},
        make('span', {}, reference, make('small', {}, at)),
        make('strong', {}, amount),
        make('span', { class: 'state', 'data-tone': tone }, name),
      )
    }),
  )
}

/** The button of an answer that is no longer possible disappears, so the focus moves to the headline, which says why. */
function showAnswers(answers, hasChange) {
  const focused = document.activeElement
  for (const button of buttons) {
    const { answer } = button.dataset
    button.hidden = answer.endsWith('_amendment') ? !hasChange : !answers.includes(answer)
  }
  part('choices').hidden = answers.length === 0
  if (buttons.includes(focused) && focused.hidden) part('headline').focus()
}

function show({ ok, answer }) {
  part('look-part').hidden = true
  if (isLost && ok) tell('')
  isLost = !ok
  if (!ok) {
    tell(answer.message)
    if (shown === '') put('explanation', 'Looking for it…')
    return true
  }
  const text = JSON.stringify(answer)
  // If nothing has changed the page is left as it is, so that nothing is read out again and the focus stays.
  if (text !== shown) showAgreement(answer)
  shown = text
  return !['cancelled', 'expired'].includes(answer.status)
}

function showAgreement(agreement) {
  payee = agreement.payee
  const { state, tone, headline, explanation, answers } = stateOf(agreement)
  put('state', state)
  part('state').dataset.tone = tone
  part('state').hidden = false
  put('headline', headline)
  put('explanation', explanation)
  put('back', `Back to ${payee}`)
  showChange(agreement)
  showTerms(agreement, agreement.status === 'created' ? 'What you would agree to' : 'What was agreed')
  showAnswers(answers, agreement.change !== null)
  showPayments(agreement)
}

const watch = createWatch({
  look: () => askShop(`/api/bank/${id}`),
  show,
  atEnd: () => {
    part('look-part').hidden = false
  },
})

const confirmed = (answer) =>
  answer !== 'cancel' ||
  askToConfirm({
    title: 'Cancel this agreement?',
    text: `${payee} is no longer paid from your account. This cannot be undone.`,
    yes: 'Cancel agreement',
    no: 'Keep it',
  })

async function give(answer) {
  if (isSending || !(await confirmed(answer))) return
  isSending = true
  tell('')
  const { ok, answer: said } = await askShop(`/api/bank/${id}/answers`, { answer })
  isSending = false
  if (ok) show({ ok, answer: said })
  else tell(said.message)
  watch.start()
}

for (const button of buttons) button.addEventListener('click', () => give(button.dataset.answer))
part('look').addEventListener('click', () => {
  part('headline').focus()
  watch.start()
})
watch.start()
