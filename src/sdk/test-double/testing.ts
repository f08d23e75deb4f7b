/** The entry `@svc/widget/testing`: the members of `window.svc`, with a widget that needs no network. */
import { testAuthenticate, TestCanvas3ds } from './test-bank-step.ts'
import { TestCheckout } from './test-checkout.ts'
import { TestWidget } from './test-widget.ts'

export {
  ELEMENT,
  EVENT,
  FORM_FIELD,
  PAYMENT_TYPE,
  PURPOSE,
  STYLE,
  SUPPORTED_CARD_TYPES,
  TEXT,
  TRIGGER,
  VERSION,
} from '../constants.ts'
export { WidgetError } from '../widget-error.ts'
export { TEST_TOKEN } from './outcomes.ts'
export { replaceForms } from './replace-forms.ts'
export type { TestForms } from './replace-forms.ts'
export { TEST_CARD } from './test-widget.ts'
export type { FrameEventContent as OwnEvent } from '../../contract/page/checkout-event.ts'

/** Every widget that this module's `HtmlWidget` created, so that a test can reach the page's widget. */
export const testWidgets: TestWidget[] = []

class RememberedWidget extends TestWidget {
  constructor(...parameters: ConstructorParameters<typeof TestWidget>) {
    super(...parameters)
    testWidgets.push(this)
  }
}

export {
  RememberedWidget as HtmlWidget,
  testAuthenticate as authenticate,
  TestCanvas3ds as Canvas3ds,
  TestCanvas3ds,
  TestCheckout as Checkout,
  TestCheckout,
  TestWidget,
}
export type { StepEnd } from './test-bank-step.ts'

/** Creates a test widget in a container. It needs no public key. */
export function createTestWidget(container: string | Element): TestWidget {
  return new TestWidget(container, 'pk_test')
}
