import { STYLE_KEYS, TEXT_KEYS } from '../../contract/page/widget-appearance.ts'
import type { Texts } from '../../contract/page/widget-appearance.ts'
import type { WidgetSettings } from '../../contract/page/widget-settings.ts'
import { knownEntries } from './merchant-input.ts'

/** Settings in the container's attributes: `widget-style="text-color: #333; …"`, and one attribute per text, such as `submit-button="Pay"`. */
export function containerSettings(container: Element): WidgetSettings {
  const texts: Texts = {}
  for (const key of TEXT_KEYS) {
    const text = container.getAttribute(key.replaceAll('_', '-'))
    if (text !== null) texts[key] = text
  }
  return {
    texts: knownEntries('texts', TEXT_KEYS, texts),
    styles: knownEntries('styles', STYLE_KEYS, declaredStyles(container.getAttribute('widget-style') ?? '')),
  }
}

function declaredStyles(declarations: string): Record<string, string> {
  const styles: Record<string, string> = {}
  for (const [, name = '', value = ''] of declarations.matchAll(/([^:;]+):([^;]*)/g))
    styles[name.trim().replaceAll('-', '_')] = value.trim()
  return styles
}
