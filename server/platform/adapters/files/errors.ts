/** The store has no object with this digest. */
export class ObjectMissing extends Error {}
/** More bytes arrived than allowed. */
export class TooLarge extends Error {}
/** The store cannot be reached or is full: the reply is 503. */
export class StoreUnavailable extends Error {}

/** Runs disk work and turns system errors into `StoreUnavailable`. */
export async function onDisk<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    const { syscall, code } = error as NodeJS.ErrnoException
    if (syscall === undefined) throw error
    throw new StoreUnavailable(`The disk refused to ${syscall}: ${code}`, { cause: error })
  }
}
