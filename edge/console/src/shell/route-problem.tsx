import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { ProblemNote } from '../ui/problem-note.tsx';

/** In place of a screen that could not be read. */
export function RouteProblem({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const retry = () => {
    reset();
    void router.invalidate();
  };
  return (
    <div className="mx-auto w-full max-w-2xl p-4">
      <ProblemNote error={error} onRetry={retry} />
    </div>
  );
}
