/**
 * A function that is created on the first call. Validators and serializers of routes are compiled this way,
 * because most are not used in the first minute of a process, and some never are.
 */
export function lazy<Argument, Result>(
  make: () => (argument: Argument) => Result,
): (argument: Argument) => Result {
  let made: ((argument: Argument) => Result) | undefined
  return argument => {
    made ??= make()
    return made(argument)
  }
}
