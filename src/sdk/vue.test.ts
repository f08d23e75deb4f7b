import { reactive, ref } from 'vue'
import { afterEach, expect, it } from 'vitest'
import { replaceForms } from './test-double/replace-forms.ts'
import { makeWidget, useWidgetPage } from './testing/widget-page.ts'

useWidgetPage()
const forms: { restore: () => void }[] = []
afterEach(() => {
  for (const one of forms.splice(0)) one.restore()
})

it('a widget in a ref() or reactive() of Vue stays what it is', async () => {
  forms.push(replaceForms())
  const widget = makeWidget()
  const kept = ref(widget)
  expect(kept.value).toBe(widget)
  expect(reactive({ widget }).widget.getEnv()).toBe('sandbox')
  await kept.value.load()
  expect(document.querySelectorAll('#card input').length).toBeGreaterThan(3)
})
