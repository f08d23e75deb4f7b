/** Does `work` for 0 to `count` - 1, `width` at a time; ends with the first fault. */
export async function someAtATime(
  count: number,
  width: number,
  work: (number: number) => Promise<void>,
): Promise<void> {
  let next = 0
  const line = async () => {
    while (next < count) await work(next++)
  }
  await Promise.all(Array.from({ length: width }, line))
}
