/**
 * The function that `make` gives, made when it is first called. What each route reads and writes is compiled this
 * way: most of them are not called in the first minute of a process, and some never.
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
