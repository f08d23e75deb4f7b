/** For each state, the events it takes and the state each leads to. */
export type Moves<State extends string, Event extends string> = Readonly<
  Record<State, Readonly<Partial<Record<Event, State>>>>
>

/** The state after an event, or null where the table has no such move. */
export function nextState<State extends string, Event extends string>(
  moves: Moves<State, Event>,
  state: State,
  event: Event,
): State | null {
  return moves[state][event] ?? null
}
