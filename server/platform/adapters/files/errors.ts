/** The store has no object of this digest. */
export class ObjectMissing extends Error {}
/** More bytes came than were allowed. */
export class TooLarge extends Error {}
/** The store cannot be reached or is full: answered as 503. */
export class StoreUnavailable extends Error {}

/** Runs work on the disk: what the system refuses is told as `StoreUnavailable`. */
export async function onDisk<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    const { syscall, code } = error as NodeJS.ErrnoException
    if (syscall === undefined) throw error
    throw new StoreUnavailable(`The disk refused to ${syscall}: ${code}`, { cause: error })
  }
}
