import { Section } from '../../parts/page.tsx'
import { Status } from '../../parts/status.tsx'
import { Time } from '../../parts/time.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import styles from './health.module.css'
import { type Job, type JobState, jobState, type ServerHealth } from './health.rules.ts'
import { healthTexts } from './health.words.ts'
import { jobTexts } from './job.words.ts'

const order: readonly JobState[] = ['failed', 'late', 'good']

/** The background jobs with their last runs; those with a problem first. */
export function JobTable({ health: { jobs, at } }: { health: ServerHealth }) {
  const text = useWords(healthTexts)
  const sorted = jobs.toSorted(
    (one, other) => order.indexOf(jobState(one, at)) - order.indexOf(jobState(other, at)),
  )
  return (
    <Section title={text.jobs} about={text.jobsAbout}>
      <table className={styles.jobs}>
        <thead>
          <tr>
            <th scope="col">{text.job}</th>
            <th scope="col">{text.result}</th>
            <th scope="col">{text.lastRun}</th>
          </tr>
        </thead>
        <tbody>
          {sorted.map(job => (
            <JobRow key={job.name} job={job} at={at} />
          ))}
        </tbody>
      </table>
    </Section>
  )
}

function JobRow({ job, at }: { job: Job; at: string }) {
  const text = useWords(healthTexts)
  const language = useLanguage()
  const { name, ranAt, failedAt, error } = job
  return (
    <tr>
      <th scope="row">
        {jobTexts[name]?.[language] ?? name}
        {failedAt !== null && error !== null && (
          <span className={styles.failure}>
            {text.lastFailure} <Time value={failedAt} />: {error}
          </span>
        )}
      </th>
      <td>
        <JobResult state={jobState(job, at)} />
      </td>
      <td>
        <Time value={ranAt} />
      </td>
    </tr>
  )
}

function JobResult({ state }: { state: JobState }) {
  const text = useWords(healthTexts)
  if (state === 'failed')
    return (
      <Status icon="failed" kind="danger">
        {text.failed}
      </Status>
    )
  if (state === 'late')
    return (
      <Status icon="clock" kind="warn">
        {text.late}
      </Status>
    )
  return (
    <Status icon="done" kind="done">
      {text.ran}
    </Status>
  )
}
