import { useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import type { VNode } from 'preact'
import { ChargePage } from '../../../contract/dashboard/payments/charge-list.ts'
import { IN_VIEW_QUERY, inViewOf } from '../../../contract/dashboard/people/session-view.ts'
import { useApp } from '../../app-context.ts'
import { ButtonLink } from '../../components/actions/button-link.tsx'
import { pathWith } from '../../router/query.ts'
import { useView } from '../../session/use-view.ts'
import { chargeTexts } from './texts.ts'

interface ExportLinkProps {
  /** What `GET /api/charges` is asked for. */
  filters: Readonly<Record<string, string | null | undefined>>
}

/**
 * Saves the charges of the filters as a file. The browser takes the file, as it may be too large for the page; but then nobody sees
 * why the service refuses it. So the page first asks for one charge: if that is refused, it says why, and nothing is saved.
 */
export function ExportLink({ filters }: ExportLinkProps): VNode {
  const { api, toasts } = useApp()
  const { time_zone, user, merchant } = useView()
  const isAsking = useSignal(false)
  const isGranted = useRef(false)
  const begin = async (link: HTMLAnchorElement) => {
    isAsking.value = true
    const outcome = await api.read(pathWith('/api/charges', { ...filters, limit: '1' }), ChargePage)
    isAsking.value = false
    isGranted.current = outcome.kind === 'done'
    if (outcome.kind === 'done') link.click()
    else toasts.show(outcome.failure.words, { tone: 'bad' })
  }
  const inView = { [IN_VIEW_QUERY]: inViewOf(user.id, merchant.id) }
  return (
    <ButtonLink
      href={pathWith('/api/charges.csv', { ...filters, time_zone, ...inView })}
      icon="download"
      isDownload
      isBusy={isAsking.value}
      onClick={(event) => {
        if (isGranted.current) {
          isGranted.current = false
          return
        }
        event.preventDefault()
        if (!isAsking.value) void begin(event.currentTarget)
      }}
    >
      {chargeTexts.export}
    </ButtonLink>
  )
}
