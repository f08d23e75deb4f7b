import * as v from 'valibot'
import { NamedPerson } from '../../contract/dashboard/people/team.ts'
import { useResource } from '../loading/use-resource.ts'

const People = v.array(NamedPerson)

/** Who acts or has acted for the merchant. Empty until they are read, and where they can't be read. */
export function usePeople(): readonly NamedPerson[] {
  const state = useResource('/api/people', People).state.value
  return state.kind === 'ready' ? state.data : []
}
