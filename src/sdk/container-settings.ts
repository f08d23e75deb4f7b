import { STYLE_KEYS, TEXT_KEYS } from '../contract/widget-appearance.ts'
import type { WidgetSettings } from '../contract/widget-settings.ts'
import { knownEntries } from './known-entries.ts'

/**
 * What the container's attributes say: `widget-style="text-color: #333; …"`, and one per text key, such as
 * `submit-button="Pay"`.
 */
export function containerSettings(container: Element): WidgetSettings {
  const texts = TEXT_KEYS.map((key) => [key, container.getAttribute(withDashes(key))])
  return {
    texts: knownEntries('texts', TEXT_KEYS, Object.fromEntries(texts.filter(([, text]) => text !== null))),
    styles: knownEntries('styles', STYLE_KEYS, stylesIn(container.getAttribute('widget-style') ?? '')),
  }
}

function stylesIn(declarations: string): Record<string, string> {
  const pairs = declarations.split(';').filter((declaration) => declaration.trim() !== '')
  return Object.fromEntries(
    pairs.map((declaration) => {
      const [name = '', ...value] = declaration.split(':')
      return [name.trim().replaceAll('-', '_'), value.join(':').trim()]
    }),
  )
}

function withDashes(key: string): string {
  return key.replaceAll('_', '-')
}
