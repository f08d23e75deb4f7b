import type { VNode } from 'preact'
import { useApp } from '../app-context.ts'
import { Dialog } from '../components/dialogs/dialog.tsx'
import type { Shortcut } from './shortcuts.ts'
import { shortcutTexts } from './texts.ts'
import { useShortcuts } from './use-shortcuts.ts'
import './shortcuts-dialog.css'

/** Keys of the browser itself that work here, too. */
const NATIVE = [
  { key: 'Enter', words: shortcutTexts.open },
  { key: 'Esc', words: shortcutTexts.close },
]

/** The list of the page's shortcuts, which `?` opens. */
export function ShortcutsDialog(): VNode | null {
  const { isListOpen, isOn, all } = useApp().shortcuts
  useShortcuts([{ key: '?', words: shortcutTexts.show, run: () => (isListOpen.value = true) }])
  if (!isListOpen.value) return null
  return (
    <Dialog title={shortcutTexts.title} close={() => (isListOpen.value = false)}>
      <dl class="shortcuts">
        {[...rowsOf(all.value), ...NATIVE].map(({ key, words }) => (
          <div key={key}>
            <dt>{words}</dt>
            <dd>
              {key.split(' ').map((name) => (
                <kbd key={name}>{name}</kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
      <div class="checkbox">
        <input
          id="shortcuts-on"
          type="checkbox"
          aria-describedby="shortcuts-on-hint"
          checked={isOn.value}
          onChange={(event) => (isOn.value = event.currentTarget.checked)}
        />
        <label for="shortcuts-on">{shortcutTexts.isOn}</label>
        <p class="hint" id="shortcuts-on-hint">
          {shortcutTexts.isOnHint}
        </p>
      </div>
    </Dialog>
  )
}

const NAMES: Readonly<Record<string, string>> = { ArrowDown: '↓', ArrowUp: '↑' }

/** Shortcuts that do the same stand in one row. */
function rowsOf(shortcuts: readonly Shortcut[]): { key: string; words: string }[] {
  const keys = new Map<string, Set<string>>()
  for (const { key, words } of shortcuts)
    keys.set(words, (keys.get(words) ?? new Set()).add(NAMES[key] ?? key))
  return [...keys].map(([words, names]) => ({ words, key: [...names].join(' ') }))
}
