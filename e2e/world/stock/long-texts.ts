/** The longest reference that the API takes, without a space to break at. */
export const LONG_REFERENCE = 'ORDER-2026-11-22-SYDNEY-WAREHOUSE-7-PALLET-00093-LINE-0000000417'
/** A name without a space to break at. */
export const LONG_NAME = 'Wolfeschlegelsteinhausenbergerdorff-Featherstonehaugh'
