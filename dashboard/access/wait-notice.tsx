import { useEffect, useState } from 'react'
import { textOfError } from '../data/errors.ts'
import { waitSecondsOf } from '../data/sign-in.ts'
import { Notice } from '../parts/states.tsx'
import { useLanguage, useWords } from '../words/words.ts'
import { signInTexts } from './sign-in.words.ts'

/** The error of a sign-in; after too many tries, with a clock that runs down. */
export function WaitNotice({ error }: { error: unknown }) {
  const text = useWords(signInTexts)
  const language = useLanguage()
  const [seconds, setSeconds] = useState(() => waitSecondsOf(error) ?? 0)
  useEffect(() => {
    const timer = setInterval(() => setSeconds(left => Math.max(0, left - 1)), 1_000)
    return () => clearInterval(timer)
  }, [])
  if (waitSecondsOf(error) === undefined) return <Notice kind="danger">{textOfError(error, language)}</Notice>
  if (seconds === 0) return null
  return <Notice kind="warn">{text.wait(seconds)}</Notice>
}
