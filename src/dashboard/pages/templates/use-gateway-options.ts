import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import * as v from 'valibot'
import type { TemplateType } from '../../../contract/api/checkouts/checkout-template.ts'
import { GatewayView } from '../../../contract/dashboard/company/gateway.ts'
import { useApp } from '../../app-context.ts'
import type { Option } from '../../components/form/select.tsx'

const Gateways = v.array(GatewayView)

/** The merchant's gateways for a configuration to choose from, none while they load; null where they can't be read: then an id can be written. */
export function useGatewayOptions(type: TemplateType): readonly Option[] | null {
  const { api } = useApp()
  const options = useSignal<readonly Option[] | null>([])
  useEffect(() => {
    if (type !== 'configuration') return
    const asking = new AbortController()
    void api.read('/api/gateways', Gateways, asking.signal).then((outcome) => {
      options.value =
        outcome.kind === 'done' ? outcome.data.map(({ id, name }) => ({ value: id, words: name })) : null
    })
    return () => asking.abort()
  }, [type])
  return options.value
}
