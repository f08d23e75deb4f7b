import { useEffect, useRef } from 'preact/hooks'
import type { VNode } from 'preact'
import * as v from 'valibot'
import type { SessionView } from '../../contract/dashboard/people/session-view.ts'
import { useApp } from '../app-context.ts'
import { Icon } from '../components/icon.tsx'
import { shortcutTexts } from '../keyboard/texts.ts'
import { shellTexts } from './texts.ts'

const MENU_ID = 'user-menu'

/** The person's own pages, the other merchants, and the way out. */
export function UserMenu({ view }: { view: SessionView }): VNode {
  const { router, shortcuts } = useApp()
  const { user } = view
  const menu = useRef<HTMLDivElement>(null)
  const { path } = router.place.value
  const hide = () => menu.current?.hidePopover()
  useEffect(hide, [path])
  const { signOut, choose } = useSessionActs()
  return (
    <>
      <button type="button" class="user-button" popovertarget={MENU_ID}>
        <span class="unseen">{`${shellTexts.account}: ${user.name}`}</span>
        <span class="avatar" aria-hidden="true">
          {initialsOf(user.name)}
        </span>
        <span aria-hidden="true">{user.name}</span>
        <Icon name="down" />
      </button>
      <div ref={menu} id={MENU_ID} class="user-menu" popover="auto">
        <div class="who">
          <b>{user.name}</b>
          <span class="soft">{user.email}</span>
        </div>
        {view.merchants.length > 1 && <Merchants view={view} choose={choose} />}
        <div>
          <a href="/profile" onClick={hide}>
            <Icon name="person" /> {shellTexts.profile}
          </a>
          <button
            type="button"
            onClick={() => {
              hide()
              shortcuts.isListOpen.value = true
            }}
          >
            <Icon name="keyboard" /> {shortcutTexts.title}
          </button>
        </div>
        <div>
          <button type="button" onClick={() => void signOut()}>
            <Icon name="exit" /> {shellTexts.signOut}
          </button>
        </div>
      </div>
    </>
  )
}

interface MerchantsProps {
  view: SessionView
  choose: (id: string) => Promise<void>
}

/** The merchants that the person works for, the one in view marked. */
function Merchants({ view: { merchant, merchants }, choose }: MerchantsProps): VNode {
  return (
    <div>
      <h2>{shellTexts.merchant}</h2>
      {merchants.map(({ id, name }) => (
        <button key={id} type="button" aria-pressed={id === merchant.id} onClick={() => void choose(id)}>
          <Icon name={id === merchant.id ? 'check' : 'company'} /> {name}
        </button>
      ))}
    </div>
  )
}

/** What the menu does with the session. A failure is shown in a toast. */
function useSessionActs() {
  const { api, session, router, toasts } = useApp()
  const act = async (method: 'POST' | 'DELETE', path: string, body?: object) => {
    const outcome = await api.change({ method, path, answer: v.unknown(), ...(body ? { body } : {}) })
    if (outcome.kind === 'failed') {
      toasts.show(outcome.failure.words, { tone: 'bad' })
      return
    }
    await session.refresh(() => router.go('/'))
  }
  return {
    signOut: () => act('DELETE', '/api/session'),
    choose: (id: string) => act('POST', '/api/session/merchant', { id }),
  }
}

/** The first letters of the first and last word of a name. */
function initialsOf(name: string): string {
  const words = name.split(/\s+/).filter(Boolean)
  const [first = '', last = ''] = [words[0], words.length > 1 ? words.at(-1) : '']
  return (first.charAt(0) + last.charAt(0)).toUpperCase()
}
