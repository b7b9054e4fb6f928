import { Counter, Histogram } from 'prom-client'
import type { Metrics } from '../metrics.ts'

/** Counts a run of a job of this process. */
export type CountRun = (name: string, seconds: number, isFailure: boolean) => void

/** Registers the metrics of the jobs of this process. Jobs are few, so their names are labels. */
export function registerJobMetrics({ registry }: Metrics): CountRun {
  const runs = new Counter({
    name: 'patio_job_runs_total',
    help: 'Runs of a job in this process, by result: success or failure',
    labelNames: ['job_name', 'result'],
    registers: [registry],
  })
  const durations = new Histogram({
    name: 'patio_job_run_seconds',
    help: 'Duration of these runs',
    labelNames: ['job_name'],
    buckets: [0.01, 0.1, 1, 10, 60, 600],
    registers: [registry],
  })
  return (name, seconds, isFailure) => {
    runs.inc({ job_name: name, result: isFailure ? 'failure' : 'success' })
    durations.observe({ job_name: name }, seconds)
  }
}
