import { SheetSection } from '../parts/sheet.tsx'
import { Problem, Skeleton } from '../parts/states.tsx'
import { useLanguage } from '../words/words.ts'
import { textOfError } from './errors.ts'

/** The content of a sheet while its object is being read, or why it cannot be read. */
export function ReadingSection({
  error,
  label,
}: {
  error: unknown
  /** The words for screen readers while it is being read. */
  label: string
}) {
  const language = useLanguage()
  return (
    <SheetSection>
      {error ? <Problem title={textOfError(error, language)} /> : <Skeleton rows={5} label={label} />}
    </SheetSection>
  )
}
