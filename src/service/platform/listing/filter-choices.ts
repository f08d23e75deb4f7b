/**
 * What `make` makes for each choice of these filters, and how to find it by the filters that are given (not null). A list has a
 * statement for each choice: so each is planned for the index that it needs, also when its plan is kept.
 */
export function forEachChoice<Name extends string, Made>(
  names: readonly Name[],
  make: (chosen: readonly Name[]) => Made,
): (given: Readonly<Record<Name, unknown>>) => Made {
  const made = new Map(choicesOf(names).map((chosen) => [chosen.join(), make(chosen)]))
  return (given) => {
    const found = made.get(names.filter((name) => given[name] !== null).join())
    if (found === undefined) throw new Error('there is no such choice of filters')
    return found
  }
}

/** All choices of some of these, none and all among them, each in their order. */
function choicesOf<Name>([first, ...others]: readonly Name[]): Name[][] {
  if (first === undefined) return [[]]
  const rest = choicesOf(others)
  return [...rest, ...rest.map((chosen) => [first, ...chosen])]
}
