import { useSignal } from '@preact/signals'
import type { VNode } from 'preact'
import { useEffect } from 'preact/hooks'
import { ReachResult } from '../../../contract/dashboard/company/gateway.ts'
import type { GatewayArrival, GatewayNotifications } from '../../../contract/dashboard/company/gateway.ts'
import { useApp, useFormats } from '../../app-context.ts'
import { Button } from '../../components/actions/button.tsx'
import { Badge } from '../../components/data/badge.tsx'
import type { BadgeTone } from '../../components/data/badge.tsx'
import { Facts } from '../../components/data/facts.tsx'
import { Notice } from '../../components/feedback/notice.tsx'
import { Moment } from '../../formats/moment.tsx'
import type { Resource } from '../../loading/resource.ts'
import { useChange } from '../../loading/use-change.ts'
import { usePermits } from '../../session/use-view.ts'
import { Section } from '../../shell/section.tsx'
import type { SetupProps } from './setup-section.tsx'
import { gatewayTexts } from './texts.ts'

const texts = gatewayTexts.arrival
type State = GatewayNotifications

/** At which step the connecting of a gateway is; null once a notification has come by what was entered last, or silence is the trouble. */
export function stepOf(state: State): 'setup' | 'arrives' | null {
  if (state.arrival === 'missing') return 'setup'
  return state.heard_at === null ? 'arrives' : null
}

const TONES: Readonly<Record<GatewayArrival, BadgeTone>> = {
  missing: 'calm',
  waiting: 'wait',
  refused: 'bad',
  silent: 'bad',
  arrives: 'good',
}

/** Whether an account's notifications arrive, in a word or two. */
export function ArrivalBadge({ arrival }: { arrival: GatewayArrival }): VNode {
  return <Badge tone={TONES[arrival]}>{texts.badges[arrival]}</Badge>
}

/** How often it is looked whether something has come: soon while somebody waits for it, in ms. */
const WAITED_MS = 2000
const WATCHED_MS = 30_000

/** Reads the state again and again while the page is shown, more often while the first notification is waited for. */
export function useWatched(notifications: Resource<State>): void {
  const state = notifications.state.value
  useEffect(() => {
    if (state.kind !== 'ready' || state.isReloading) return
    const { arrival } = state.data
    const isAwaited = arrival === 'waiting' || arrival === 'refused'
    const timer = setTimeout(() => void notifications.reload(), isAwaited ? WAITED_MS : WATCHED_MS)
    return () => clearTimeout(timer)
  }, [notifications, state])
}

/** Whether an account's notifications arrive, what keeps them from it, and how to try. */
export function ArrivalSection({ path, setup, state }: SetupProps): VNode {
  const mayTest = usePermits()('change')
  const { arrival } = state
  return (
    <Section title={texts.title}>
      <div class="arrival" aria-live="polite">
        <div class="arrival-head">
          <ArrivalBadge arrival={arrival} />
          <span>{wordsFor(state)}</span>
        </div>
        {state.silent_since !== null && (
          <Notice tone="warning">
            {texts.silentSince} <Moment at={state.silent_since} />.
          </Notice>
        )}
        {state.refused !== null && <Refused refused={state.refused} heardAt={state.newest_heard_at} />}
      </div>
      {(arrival === 'waiting' || arrival === 'refused' || arrival === 'silent') && (
        <div class="arrival">
          <h3>{texts.firstTest}</h3>
          <p>{setup.test}</p>
        </div>
      )}
      <ArrivalFacts state={state} />
      {arrival !== 'missing' && mayTest && <AddressTest path={path} />}
    </Section>
  )
}

function wordsFor({ arrival, heard_at, changed_at, has_former }: State): string {
  const isHeardSince = heard_at !== null && changed_at !== null && heard_at > changed_at
  return arrival === 'waiting' && has_former && isHeardSince ? texts.words.former : texts.words[arrival]
}

interface RefusedProps {
  refused: NonNullable<State['refused']>
  /** When the last notification came that what was entered last has proved. */
  heardAt: string | null
}

/** What was refused, and what to do about it: nothing any more, once others have arrived since. */
function Refused({ refused: { count, at, why }, heardAt }: RefusedProps): VNode {
  const { number } = useFormats()
  const isOver = heardAt !== null && heardAt > at
  return (
    <Notice tone={isOver ? 'info' : 'warning'}>
      <p>
        {texts.refused(number(count), count === 1)} <Moment at={at} />. {isOver ? texts.refusedBefore : why}
      </p>
      {!isOver && <p class="soft">{texts.stranger}</p>}
    </Notice>
  )
}

/** Up to how many are counted. */
const MAX_COUNTED = 1000

function ArrivalFacts({ state }: { state: State }): VNode {
  const { number } = useFormats()
  const toWords = (count: number) =>
    count >= MAX_COUNTED ? texts.counted(number(count)) : count > 0 && number(count)
  const { heard_at, changed_at, waiting, unexplained, not_understood } = state
  return (
    <Facts
      facts={[
        [texts.heard, heard_at === null ? texts.never : <Moment at={heard_at} />],
        [texts.changed, changed_at !== null && <Moment at={changed_at} />],
        [texts.waitingCount, toWords(waiting)],
        [texts.unexplained, toWords(unexplained)],
        [texts.notUnderstood, toWords(not_understood)],
      ]}
    />
  )
}

const TEST_TONES = { reached: 'good', only_here: 'warning', failed: 'bad' } as const

/** Has the service try its own public address, and says what that showed. */
function AddressTest({ path }: { path: string }): VNode {
  const { toasts } = useApp()
  const { send, isSending } = useChange()
  const result = useSignal<ReachResult | null>(null)
  const test = async () => {
    const outcome = await send({ method: 'POST', path: `${path}/test`, answer: ReachResult })
    if (outcome.kind === 'failed') toasts.show(outcome.failure.words, { tone: 'bad' })
    result.value = outcome.kind === 'failed' ? null : outcome.data
  }
  return (
    <div class="arrival">
      <p class="soft">{texts.checkWords}</p>
      <div>
        <Button isBusy={isSending.value} onClick={() => void test()}>
          {isSending.value ? texts.checking : texts.checkAddress}
        </Button>
      </div>
      {result.value !== null && <Notice tone={TEST_TONES[result.value.state]}>{result.value.message}</Notice>}
    </div>
  )
}
