import { clsx, type ClassValue } from 'clsx';
import { twMerge } from 'tailwind-merge';

/** Class names in one string; of two that contradict each other the later one holds. */
export function classes(...values: ClassValue[]): string {
  return twMerge(clsx(values));
}
