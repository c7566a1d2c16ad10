#!/usr/bin/perl
# Counts words by paragraph, sorts them and prints the most frequent pairs.
use strict;
use warnings;

sub tokens { return map { lc } shift =~ /([a-z]+)/gi }

sub pairs
{
    my %seen;
    for my $i (1 .. $#_) { $seen{"$_[$i - 1] $_[$i]"}++ }
    return \%seen;
}

sub most { my ($n, $of) = @_; return (sort { $of->{$b} <=> $of->{$a} || $a cmp $b } keys %$of)[0 .. $n - 1] }

my ($file, $rounds) = @ARGV;
for (1 .. $rounds) {
    open my $in, '<', $file or die;
    local $/ = '';
    my %all;
    while (my $paragraph = <$in>) {
        my $pairs = pairs(tokens($paragraph));
        $all{$_} += $pairs->{$_} for keys %$pairs;
    }
    print "$_\n" for most(10, \%all);
}
