/** Writes a line for whoever runs a proof. */
export type Say = (line: string) => void
