/** For each state, the actions it takes and the state each leads to. */
export type Moves<State extends string, Action extends string> = Readonly<
  Record<State, Readonly<Partial<Record<Action, State>>>>
>

/** The state after an action, or null where the table has no such move. */
export function nextState<State extends string, Action extends string>(
  moves: Moves<State, Action>,
  state: State,
  action: Action,
): State | null {
  return moves[state][action] ?? null
}

/** The states that take an action. */
export function statesFor<State extends string, Action extends string>(
  moves: Moves<State, Action>,
  action: Action,
): State[] {
  return statesIn(moves).filter((state) => nextState(moves, state, action) !== null)
}

/** Whether a row is in one of the states that take an action, as SQL. `inState`: whether it is in this one. */
export function sqlConditionFor<State extends string, Action extends string>(
  moves: Moves<State, Action>,
  action: Action,
  inState: (state: State) => string,
): string {
  return `(${statesFor(moves, action).map(inState).join(' OR ')})`
}

function statesIn<State extends string>(moves: Moves<State, string>): State[] {
  const states: State[] = []
  for (const state in moves) states.push(state)
  return states
}
