import { describe, expect, it } from 'vitest'
import { readInputs } from './read-inputs.ts'
import { readTranslation } from '../testing/translations.ts'
import { textOf } from '../form/form-state.ts'
import { createForm } from '../form/form-view.ts'

describe('what is typed before the form comes to life', () => {
  it('is taken, written as the form writes it', () => {
    const content = document.createElement('main')
    content.innerHTML = '<input id="card_number"><input id="expiry"><input id="card_ccv"><input id="other">'
    const [number, expiry, code, other] = content.querySelectorAll('input')
    if (!number || !expiry || !code || !other) throw new Error('no inputs')
    number.value = '424242'
    expiry.value = '0139'
    other.value = 'none of ours'
    const form = createForm({
      now: Date.now,
      translation: readTranslation('en'),
      inputs: () => content.querySelectorAll('input'),
    })
    readInputs(form)
    expect([textOf(form, 'card_number'), number.value]).toEqual(['4242 42', '4242 42'])
    expect(textOf(form, 'expiry')).toBe('01 / 39')
    expect([textOf(form, 'card_ccv'), other.value]).toEqual(['', 'none of ours'])
  })
})
